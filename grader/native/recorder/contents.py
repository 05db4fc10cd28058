"""What a successful call changes in the recorder's shadows of objects and memory, as C++ statements."""

from grader.contract.api import Api
from grader.contract.api_types import Function, Parameter

MISSING = {
    "cudnn": "kCudnnUnavailable",
    "cudart": "kCudartUnavailable",
    "size_t": "0",
    "const char *": '""',
    "void": "",
}
"""What a wrapper returns when the library lacks the function, by library or return type."""

SETTERS = {
    "cudnnSetTensor4dDescriptor": "content::tensor4d(tensorDesc, format, dataType, n, c, h, w);",
    "cudnnSetTensor4dDescriptorEx": "content::tensor4d_strided(tensorDesc, dataType, n, c, h, w, nStride, cStride, "
    "hStride, wStride);",
    "cudnnSetTensorNdDescriptor": "content::tensor_strided(tensorDesc, dataType, nbDims, dimA, strideA);",
    "cudnnSetTensorNdDescriptorEx": "content::tensor(tensorDesc, format, dataType, nbDims, dimA);",
    "cudnnSetFilter4dDescriptor": "content::filter4d(filterDesc, dataType, format, k, c, h, w);",
    "cudnnSetFilterNdDescriptor": "content::filter(filterDesc, dataType, format, nbDims, filterDimA);",
    "cudnnSetConvolution2dDescriptor": "content::convolution2d(convDesc, pad_h, pad_w, u, v, dilation_h, dilation_w, "
    "mode, computeType);",
    "cudnnSetConvolutionNdDescriptor": "content::convolution(convDesc, arrayLength, padA, filterStrideA, dilationA, "
    "mode, computeType);",
    "cudnnSetConvolutionMathType": 'content::enumerator(convDesc, "convolution", "math", names::cudnnMathType_t, '
    "mathType);",
    "cudnnSetConvolutionGroupCount": 'content::number(convDesc, "convolution", "groups", groupCount);',
    "cudnnSetPooling2dDescriptor": "content::pooling2d(poolingDesc, mode, maxpoolingNanOpt, windowHeight, windowWidth, "
    "verticalPadding, horizontalPadding, verticalStride, horizontalStride);",
    "cudnnSetPoolingNdDescriptor": "content::pooling(poolingDesc, mode, maxpoolingNanOpt, nbDims, windowDimA, "
    "paddingA, strideA);",
    "cudnnSetStream": "content::stream_of(handle, streamId);",
    "cudaDeviceReset": 'memory::all_freed(); objects::all_destroyed("stream"); objects::all_destroyed("event"); '
    "gpu_clock::forget();",
}
"""Functions whose effect has a form of its own. All other setters enter their arguments one by one."""

FREES = {"cudaFree", "cudaFreeAsync", "cudaFreeHost"}


def after_success(function: Function, api: Api) -> list[str]:
    if function.name in SETTERS:
        return [SETTERS[function.name]]
    statements = [_created(p, api) for p in function.parameters if _creates(function, p, api)]
    statements += [_allocated(p) for p in function.parameters if p.role == "pointer_out" and p.of]
    if function.name in FREES:
        statements.append(f"memory::freed({function.parameters[0].name});")
    if "Destroy" in function.name:
        statements.append(f"objects::destroyed({function.parameters[0].name});")
    elif setter := _target(function, api):
        statements += _entered(function, setter, api)
    return statements + _filled_tensors(function)


def _creates(function: Function, parameter: Parameter, api: Api) -> bool:
    creates = "Create" in function.name and parameter.role == "host_out"
    return creates and parameter.base in api.opaques


def _created(parameter: Parameter, api: Api) -> str:
    kind = api.opaques[parameter.base].kind
    return f'objects::created(*{parameter.name}, "{kind}");'


def _allocated(parameter: Parameter) -> str:
    space = "pinned" if parameter.space == "host" else "device"
    return f"memory::allocated(*{parameter.name}, {parameter.of[0]}, memory::Space::{space});"


def _target(function: Function, api: Api) -> Parameter | None:
    """The descriptor that a setter fills; None for functions that only use their descriptors."""
    name = function.name
    if not name.startswith(("cudnnSet", "cudnnRestore", "cudnnRNNSetClip")) or not function.parameters:
        return None
    first = function.parameters[0]
    return first if first.role == "descriptor" and api.opaques[first.base].kind != "tensor" else None


def _entered(function: Function, target: Parameter, api: Api) -> list[str]:
    where = f'{target.name}, "{api.opaques[target.base].kind}"'
    names = {p.name for p in function.parameters}
    statements = []
    for p in function.parameters[1:]:
        if p.role == "enum":
            statements.append(f'content::enumerator({where}, "{p.name}", names::{p.base}, {p.name});')
        elif p.role == "value":
            statements.append(f'content::number({where}, "{p.name}", {p.name});')
        elif p.role == "host_array" and p.base in ("int", "int32_t") and set(p.of) <= names:
            statements.append(f'content::numbers({where}, "{p.name}", {p.name}, {p.of[0]});')
    return statements


FILLED = {"cudnnDeriveBNTensorDescriptor", "cudnnDeriveNormTensorDescriptor", "cudnnInitTransformDest",
          "cudnnGetRNNWeightParams", "cudnnGetMultiHeadAttnWeights"}  # fmt: skip


def _filled_tensors(function: Function) -> list[str]:
    """Tensor descriptors that a function fills on its own account."""
    if function.name not in FILLED:
        return []
    targets = [p for p in function.parameters if p.type == "cudnnTensorDescriptor_t"]
    return [f"content::tensor_from_library({p.name});" for p in targets]
