"""What docker-compose.yml promises about the grader: no network, no database, nothing shared but a socket."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

Service = dict[str, Any]


def load(path: Path) -> dict[str, Any]:
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert isinstance(document, dict)
    return document


@pytest.fixture
def services(repository: Path) -> dict[str, Service]:
    return dict(load(repository / "docker-compose.yml")["services"])


@pytest.fixture
def gpu_grader(repository: Path) -> Service:
    return dict(load(repository / "docker-compose.gpu.yml")["services"]["grader"])


def test_grader_has_no_network(services: dict[str, Service]) -> None:
    grader = services["grader"]
    assert grader["network_mode"] == "none"
    assert not {"networks", "ports", "expose", "links", "extra_hosts"} & set(grader)


def test_grader_knows_nothing_of_the_database(services: dict[str, Service]) -> None:
    assert "environment" not in services["grader"]
    assert "env_file" not in services["grader"]
    assert "POSTGRES" not in json.dumps(services["grader"])


def test_grader_and_web_share_only_the_socket(services: dict[str, Service]) -> None:
    assert services["grader"]["volumes"] == services["web"]["volumes"] == ["grader-socket:/run/forwardpass"]
    assert "grader-socket" not in json.dumps(services["database"])


def test_only_the_web_program_reaches_the_database(repository: Path, services: dict[str, Service]) -> None:
    assert load(repository / "docker-compose.yml")["networks"]["data"] == {"internal": True}
    assert services["database"]["networks"] == ["data"]
    assert "ports" not in services["database"]
    assert [name for name, service in services.items() if "data" in service.get("networks", [])] == ["web", "database"]


@pytest.mark.parametrize("name", ["web", "grader"])
def test_our_containers_have_no_privileges(services: dict[str, Service], name: str) -> None:
    service = services[name]
    assert service["cap_drop"] == ["ALL"]
    assert "no-new-privileges:true" in service["security_opt"]
    assert service["read_only"] is True
    assert not {"privileged", "cap_add", "pid", "ipc", "devices", "userns_mode"} & set(service)


def test_only_the_grader_is_loosened_for_the_jail(services: dict[str, Service]) -> None:
    loosened = {"seccomp=docker/grader-seccomp.json", "apparmor=unconfined", "systempaths=unconfined"}
    assert loosened < set(services["grader"]["security_opt"])
    for name in ("web", "database"):
        assert services[name]["security_opt"] == ["no-new-privileges:true"]


def test_seccomp_profile_allows_the_jail_and_refuses_the_rest(repository: Path) -> None:
    profile = json.loads((repository / "docker" / "grader-seccomp.json").read_text())
    refused = {name for rule in profile["syscalls"] for name in rule["names"] if rule["action"] == "SCMP_ACT_ERRNO"}
    assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
    assert not refused & {"clone", "clone3", "unshare", "mount", "umount2", "pivot_root", "seccomp", "prctl"}
    assert {"bpf", "io_uring_setup", "init_module", "kexec_load", "keyctl", "ptrace", "userfaultfd"} <= refused


def test_passwords_come_from_outside(repository: Path) -> None:
    text = (repository / "docker-compose.yml").read_text()
    assert text.count("${POSTGRES_PASSWORD:?") == text.count("${POSTGRES_PASSWORD")


def test_published_port_is_of_this_machine_by_default(services: dict[str, Service]) -> None:
    assert services["web"]["ports"] == ["${LISTEN:-127.0.0.1:8000}:8000"]


def test_gpu_override_gives_a_device_and_no_network(gpu_grader: Service) -> None:
    (device,) = gpu_grader["deploy"]["resources"]["reservations"]["devices"]
    assert device["driver"] == "nvidia"
    assert "gpu" in device["capabilities"]
    assert set(gpu_grader) == {"build", "environment", "deploy"}
    assert gpu_grader["environment"] == {"NVIDIA_DRIVER_CAPABILITIES": "compute,utility"}


def test_dockerfiles_install_locks_that_exist(repository: Path, gpu_grader: Service) -> None:
    grader = (repository / "docker" / "grader.Dockerfile").read_text()
    web = (repository / "docker" / "web.Dockerfile").read_text()
    for lock, where in [
        ("requirements-grader.lock", grader),
        (gpu_grader["build"]["args"]["LOCK"], "requirements-gpu.lock"),
        ("requirements.lock", web),
    ]:
        assert lock in where
        assert (repository / lock).is_file()
    assert "--require-hashes" in grader
    assert "--require-hashes" in web


def test_dockerfiles_copy_what_exists(repository: Path) -> None:
    for dockerfile in (repository / "docker").glob("*.Dockerfile"):
        for line in dockerfile.read_text().splitlines():
            if line.startswith("COPY") and "$" not in line:
                for source in line.split()[1:-1]:
                    assert (repository / source).exists(), f"{dockerfile.name}: {line}"


def test_grader_image_holds_no_web_program(repository: Path) -> None:
    text = (repository / "docker" / "grader.Dockerfile").read_text()
    assert "COPY app" not in text
    locked = (repository / "requirements-grader.lock").read_text()
    assert {line.split("==")[0] for line in locked.splitlines() if "==" in line} == {"numpy", "pyyaml"}
