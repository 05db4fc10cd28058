"""What `python -m grader env` says, in Korean.

Pairs of templates: the English text as the checks say it, and the Korean one. `{name}` stands for what differs from
machine to machine; it is translated too where it is a text of this table. What no template fits stays as it is.
"""

import functools
import re

from grader.backends.nvidia import INSTALL

TEXTS: dict[str, str] = {
    # sandbox
    "{version}; started as {who}": "{version}, 시작한 사용자: {who}",
    "root, dropped to {user} inside": "root(안에서는 {user})",
    "FP_FIRST_SLOT is not a number: {error}": "FP_FIRST_SLOT이 숫자가 아닙니다: {error}",
    "set it to 0 to 13, or not at all": "0에서 13 사이의 값으로 설정하거나 설정하지 마십시오",
    "user {number}, in a user namespace": "사용자 네임스페이스 속 사용자 {number}",
    "{program} is not installed": "설치되지 않은 프로그램: {program}",
    "install it: {command}": "설치하십시오: {command}",
    "bubblewrap does not end": "bubblewrap이 끝나지 않습니다",
    "bubblewrap ended with {status}": "bubblewrap이 종료 상태 {status}번으로 끝났습니다",
    "see the kernel's log": "커널 로그를 확인하십시오",
    "as an ordinary user: allow user namespaces ({settings}); in a container: run it with {options}": (
        "일반 사용자라면 사용자 네임스페이스를 허용하십시오({settings}). "
        "컨테이너 안이라면 {options} 옵션으로 실행하십시오"
    ),
    "filter of {size} instructions, {machine}": "명령 {size}개로 된 필터, {machine}",
    "libseccomp.so.2 is missing; install the package libseccomp2": (
        "libseccomp.so.2가 없습니다. libseccomp2 패키지를 설치하십시오"
    ),
    "libseccomp could not start a filter": "libseccomp가 필터를 시작하지 못했습니다",
    "libseccomp could not export the filter": "libseccomp가 필터를 내보내지 못했습니다",
    "libseccomp refuses the rule for {call}: {error}": "libseccomp가 {call} 규칙을 거부합니다: {error}",
    "version {version}: memory is limited below {path}": "버전 {version}: {path} 아래에서 메모리를 제한합니다",
    "none is delegated: a watchdog that reads /proc every 20 ms limits memory, and can be overshot for a moment": (
        "위임받은 것이 없습니다. 20 ms마다 /proc을 읽는 감시 스레드가 메모리를 제한하므로 잠깐 넘칠 수 있습니다"
    ),
    "under systemd: Delegate=yes in the grader's unit; else make a group with the memory controller that the grader's "
    "user may write to, and name it in FP_CGROUP": (
        "systemd에서는 채점기 유닛에 Delegate=yes를 넣으십시오. 그 밖에는 채점기 사용자가 쓸 수 있는 memory 컨트롤러 "
        "그룹을 만들어 FP_CGROUP에 적으십시오"
    ),
    "no g++: C++ submissions cannot be graded": "g++가 없어 C++ 제출을 채점할 수 없습니다",
    "no objdump: C++ submissions cannot be graded": "objdump가 없어 C++ 제출을 채점할 수 없습니다",
    "g++ links with ld, about 0.1 s slower": "ld로 링크하므로 약 0.1초 느립니다",
    # files
    "the sandbox can read what it is shown": "샌드박스가 필요한 파일을 모두 읽을 수 있습니다",
    "{path} cannot be read by the sandbox's user": "샌드박스 사용자가 읽을 수 없는 폴더: {path}",
    # simulator and native build
    "the simulator is not built: {path} is missing": "시뮬레이터가 빌드되지 않았습니다. 없는 파일: {path}",
    "run `make native`": "`make native`를 실행하십시오",
    "the native part in {path} was built by an older version: it does not say from which sources": (
        "{path}의 네이티브 빌드는 이전 버전의 것입니다. 어떤 소스로 빌드했는지 적혀 있지 않습니다"
    ),
    "the native part in {path} was built from other sources than those in {sources}": (
        "{path}의 네이티브 빌드가 {sources}의 소스와 맞지 않습니다"
    ),
    "simulated cuDNN (CPU), cuDNN {version}": "시뮬레이션 cuDNN(CPU), cuDNN {version}",
    # GPU: what is missing
    "CuPy is not installed": "CuPy가 설치되어 있지 않습니다",
    INSTALL: "추가 구성 `gpu`(CUDA 12)나 `gpu-cu13`(CUDA 13)을 설치하십시오: pip install 'forwardpass[gpu]'",
    "no memory left on the GPU: {free} MiB are free, a sandbox needs {needed}": (
        "GPU 메모리가 모자랍니다. {free} MiB가 남았고 샌드박스 하나에 {needed} MiB가 필요합니다"
    ),
    "no memory left on the GPU": "GPU 메모리가 남아 있지 않습니다",
    "end what else uses the GPU (nvidia-smi lists it)": "GPU를 쓰는 다른 프로그램을 끝내십시오(nvidia-smi로 확인)",
    "end what else uses it (nvidia-smi lists it)": "GPU를 쓰는 다른 프로그램을 끝내십시오(nvidia-smi로 확인)",
    "no NVIDIA GPU: {path} is missing": "NVIDIA GPU가 없습니다. 없는 장치 파일: {path}",
    "install the NVIDIA driver, or give the container its GPU (docker run --gpus all)": (
        "NVIDIA 드라이버를 설치하거나 컨테이너에 GPU를 넘기십시오(docker run --gpus all)"
    ),
    "the driver's libcuda.so.1: {error}": "드라이버의 libcuda.so.1: {error}",
    "install the NVIDIA driver; in a container, the NVIDIA Container Toolkit brings it in": (
        "NVIDIA 드라이버를 설치하십시오. 컨테이너에는 NVIDIA Container Toolkit이 넣어 줍니다"
    ),
    "cuInit failed with {status}": "cuInit이 오류 {status}번으로 실패했습니다",
    "{meaning}: cuInit failed with {status}": "{meaning}: cuInit이 오류 {status}번으로 실패했습니다",
    "see nvidia-smi; reload the driver or reboot": (
        "nvidia-smi를 확인하고, 드라이버를 다시 올리거나 컴퓨터를 다시 시작하십시오"
    ),
    "the driver sees no GPU": "드라이버가 GPU를 찾지 못합니다",
    "unset CUDA_VISIBLE_DEVICES, or give the container its GPU (docker run --gpus all)": (
        "CUDA_VISIBLE_DEVICES를 지우거나 컨테이너에 GPU를 넘기십시오(docker run --gpus all)"
    ),
    "the GPU's system is not ready": "GPU 시스템이 준비되지 않았습니다",
    "start the fabric manager of the driver's version": "드라이버와 버전이 같은 Fabric Manager를 시작하십시오",
    "libcuda.so.1 and the kernel module are of different versions": "libcuda.so.1과 커널 모듈의 버전이 다릅니다",
    "reboot after the driver's update; in a container, remove a libcuda of its own": (
        "드라이버를 업데이트했다면 다시 시작하십시오. 컨테이너라면 그 안의 libcuda를 지우십시오"
    ),
    "this GPU cannot use the compatibility package of a newer driver": (
        "이 GPU에서는 새 드라이버용 호환 패키지를 쓸 수 없습니다"
    ),
    "remove cuda-compat from LD_LIBRARY_PATH, or update the driver": (
        "LD_LIBRARY_PATH에서 cuda-compat을 빼거나 드라이버를 업데이트하십시오"
    ),
    "the GPU does not tell its name": "GPU가 이름을 알려 주지 않습니다",
    "see nvidia-smi": "nvidia-smi를 확인하십시오",
    "libcudnn.so.9 or a libcudart is not installed": "libcudnn.so.9나 libcudart가 설치되어 있지 않습니다",
    "{path} is missing": "없는 파일: {path}",
    "reinstall it: {install}": "다시 설치하십시오. {install}",
    # GPU: versions
    "{path} cannot be loaded: {error}": "불러올 수 없는 파일: {path}({error})",
    "cuDNN {version} is too old: the course needs 9": "cuDNN {version}번은 오래된 버전입니다. 강좌에는 9가 필요합니다",
    "mixed versions: cuDNN is built for CUDA {built}, the runtime {path} is CUDA {major}": (
        "버전이 섞여 있습니다. cuDNN은 CUDA {built}용인데 런타임 {path} 파일은 CUDA {major}용입니다"
    ),
    "keep one of them: {install}": "하나만 남기십시오. {install}",
    "the driver is too old: it supports CUDA {supported}, the libraries are CUDA {major}": (
        "드라이버가 오래되었습니다. CUDA {supported}까지 지원하는데 라이브러리는 CUDA {major}용입니다"
    ),
    "update the driver, or install the libraries for CUDA {major}": (
        "드라이버를 업데이트하거나 CUDA {major}용 라이브러리를 설치하십시오"
    ),
    "{name} is missing beside {path}": "{path} 옆에 없는 파일: {name}",
    "mixed versions: {name} of {path} answers {status}": (
        "버전이 섞여 있습니다. {path}의 {name} 함수가 오류 {status}번을 돌려줍니다"
    ),
    "mixed versions: {name} of {path} answers {status}; loaded from elsewhere: {others}": (
        "버전이 섞여 있습니다. {path}의 {name} 함수가 오류 {status}번을 돌려줍니다. 다른 곳에서 불러온 것: {others}"
    ),
    "remove all cuDNN packages and install one: {install}": "cuDNN 패키지를 모두 지우고 하나만 설치하십시오. {install}",
    # GPU: the self-test in the sandbox
    "the GPU does not work inside the sandbox: {error}": "샌드박스 안에서 GPU가 동작하지 않습니다: {error}",
    "make the device nodes (nvidia-modprobe -u -c=0), or give the container its GPU (--gpus all)": (
        "장치 노드를 만들거나(nvidia-modprobe -u -c=0) 컨테이너에 GPU를 넘기십시오(--gpus all)"
    ),
    "the sandbox lacks the driver: see `python -m grader env` and docs/deploying.md, section on GPUs": (
        "샌드박스에 드라이버가 보이지 않습니다. `python -m grader env`와 docs/deploying.md의 GPU 절을 보십시오"
    ),
    "the sandbox cannot start cuDNN: look for free GPU memory with nvidia-smi": (
        "샌드박스에서 cuDNN을 시작할 수 없습니다. nvidia-smi로 남은 GPU 메모리를 확인하십시오"
    ),
    "the sandbox cannot read NVIDIA's libraries: chmod -R o+rX their folder": (
        "샌드박스가 NVIDIA 라이브러리를 읽을 수 없습니다. 그 폴더에 chmod -R o+rX를 실행하십시오"
    ),
    "no memory is left on the GPU: end what else uses it (nvidia-smi lists it)": (
        "GPU 메모리가 남아 있지 않습니다. GPU를 쓰는 다른 프로그램을 끝내십시오(nvidia-smi로 확인)"
    ),
    "look at the text above, then at nvidia-smi and `dmesg | grep -i nvrm`": (
        "위의 글을 보고, 이어서 nvidia-smi와 `dmesg | grep -i nvrm`을 확인하십시오"
    ),
}


def korean(text: str) -> str:
    """The text in Korean; unchanged where it is none of this table: a version, a path, a command."""
    for pattern, template in _patterns():
        if match := pattern.fullmatch(text):
            return template.format(**{name: korean(found) for name, found in match.groupdict().items()})
    return text


@functools.cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """The most particular templates first: those with the most text of their own."""
    ordered = sorted(TEXTS.items(), key=lambda pair: -len(re.sub(r"\{\w+\}", "", pair[0])))
    return [(_pattern(english), template) for english, template in ordered]


def _pattern(english: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", english)
    pieces = [re.escape(part) if i % 2 == 0 else f"(?P<{part}>.+?)" for i, part in enumerate(parts)]
    return re.compile("".join(pieces), re.DOTALL)
