"""Functions of old tutorials that cuDNN 9 no longer has, and what took their place.

From the exported symbols of cuDNN 8.9 and 9, and from what 8 had taken away before.
"""

import re

INSTEAD = {
    "cudnnGetConvolutionForwardAlgorithm": "cudnnGetConvolutionForwardAlgorithm_v7",
    "cudnnGetConvolutionBackwardDataAlgorithm": "cudnnGetConvolutionBackwardDataAlgorithm_v7",
    "cudnnGetConvolutionBackwardFilterAlgorithm": "cudnnGetConvolutionBackwardFilterAlgorithm_v7",
    "cudnnSetRNNDescriptor": "cudnnSetRNNDescriptor_v8",
    "cudnnSetRNNDescriptor_v5": "cudnnSetRNNDescriptor_v8",
    "cudnnSetRNNDescriptor_v6": "cudnnSetRNNDescriptor_v8",
    "cudnnGetRNNDescriptor_v6": "cudnnGetRNNDescriptor_v8",
    "cudnnSetRNNMatrixMathType": "cudnnSetRNNDescriptor_v8",
    "cudnnGetRNNParamsSize": "cudnnGetRNNWeightSpaceSize",
    "cudnnGetRNNLinLayerMatrixParams": "cudnnGetRNNWeightParams",
    "cudnnGetRNNLinLayerBiasParams": "cudnnGetRNNWeightParams",
    "cudnnGetRNNWorkspaceSize": "cudnnGetRNNTempSpaceSizes",
    "cudnnGetRNNTrainingReserveSize": "cudnnGetRNNTempSpaceSizes",
    "cudnnRNNForwardInference": "cudnnRNNForward",
    "cudnnRNNForwardTraining": "cudnnRNNForward",
    "cudnnRNNBackwardData": "cudnnRNNBackwardData_v8",
    "cudnnRNNBackwardWeights": "cudnnRNNBackwardWeights_v8",
}

_NAME = re.compile(r"['‘](cudnn\w+)['’]")


def removed_function(message: str) -> dict[str, str]:
    """`removed` and `instead` where a compiler's or Python's message is about a function that is gone; else empty."""
    if "not declared" not in message and "has no attribute" not in message:
        return {}
    name = next((name for name in _NAME.findall(message) if name in INSTEAD), "")
    return {"removed": name, "instead": INSTEAD[name]} if name else {}
