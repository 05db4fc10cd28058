"""Rules on the graph API: descriptors that are set, finalised and then used, execution plans and their workspace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader.checkers.api_trace.facts import MANY, Calls, Value, failed, integer, succeeded, value
from grader.checkers.api_trace.rule import Note, finding, rule
from grader.contract.verdict import Call, Finding

WORKSPACE = "CUDNN_ATTR_VARIANT_PACK_WORKSPACE"
RESULTS = "CUDNN_ATTR_ENGINEHEUR_RESULTS"
ENGINES = ("ENGINE", "ENGINECFG", "EXECUTION_PLAN")
"""What the library may refuse because no kernel can do it, though everything before it is in order."""


@dataclass(slots=True)
class Node:
    """A descriptor of the graph API, as far as its calls tell. type: without CUDNN_BACKEND_ and _DESCRIPTOR."""

    id: str
    type: str
    attributes: dict[str, list[Any]] = field(default_factory=dict)
    final: bool = False
    tried: bool = False
    """Whether the program tried to finalise it."""
    refused: Call | None = None
    """The cudnnBackendFinalize that failed, where the descriptor itself was at fault."""
    content: int = -1
    """Equal for finalised descriptors that say the same, down to their tensors; identities and handles apart."""


def _elements(found: Any) -> list[Any]:
    return found if isinstance(found, list) else []


def _ids(found: Any) -> list[str]:
    """Ids of the graph-API descriptors in a list of attribute elements."""
    return [str(e.get("id")) for e in _elements(found) if isinstance(e, dict) and e.get("kind") == "backend"]


class Nodes(dict[str, Node]):
    """All graph-API descriptors of a trace, by id, at one moment of it."""

    def __init__(self) -> None:
        super().__init__()
        self._contents: dict[tuple[object, ...], int] = {}

    def hear(self, call: Call) -> None:
        node = self.get(str(value(call, "descriptor").get("id")))
        if call.name == "cudnnBackendCreateDescriptor" and succeeded(call):
            made, type_ = call.outs.get("descriptor"), str(call.args.get("descriptorType"))
            if isinstance(made, dict) and isinstance(made.get("id"), str):
                name = type_.removeprefix("CUDNN_BACKEND_").removesuffix("_DESCRIPTOR")
                self[made["id"]] = Node(made["id"], name)
        elif node and call.name == "cudnnBackendSetAttribute" and succeeded(call):
            node.attributes[str(call.args.get("attributeName"))] = _elements(call.args.get("arrayOfElements"))
        elif node and call.name == "cudnnBackendFinalize":
            node.tried, node.final = True, succeeded(call)
            node.refused = call if failed(call) and all(child.final for _, child in self.children(node)) else None
            node.content = self._number(node.type, *sorted((k, self._said(v)) for k, v in node.attributes.items()))
        elif node and call.name == "cudnnBackendGetAttribute" and succeeded(call):
            for place, id in enumerate(_ids(call.outs.get("arrayOfElements"))):
                if id in self:
                    self[id].final, self[id].content = True, self._number("filled", node.content, place)

    def children(self, node: Node) -> Iterator[tuple[str, Node]]:
        """Descriptors that a descriptor was given, each with the attribute."""
        for name, elements in node.attributes.items():
            yield from ((name, self[id]) for id in _ids(elements) if id in self)

    def used(self, call: Call) -> Iterator[tuple[str, Node]]:
        """Descriptors that must be finalised for this call, each with the parameter or attribute that names it."""
        node = self.get(str(value(call, "descriptor").get("id")))
        if call.name == "cudnnBackendSetAttribute":
            for id in _ids(call.args.get("arrayOfElements")):
                if id in self:
                    yield str(call.args.get("attributeName")), self[id]
        elif call.name == "cudnnBackendFinalize" and node:
            yield from self.children(node)
        elif call.name == "cudnnBackendGetAttribute" and node:
            yield "descriptor", node
        elif call.name == "cudnnBackendExecute":
            for name in ("executionPlan", "variantPack"):
                if found := self.get(str(value(call, name).get("id"))):
                    yield name, found

    def _number(self, *parts: object) -> int:
        return self._contents.setdefault(parts, len(self._contents))

    def _said(self, elements: list[Any]) -> tuple[object, ...]:
        """Elements of an attribute; descriptors, which are finalised before their parents, by their content."""
        children = [self.get(str(e.get("id"))) if isinstance(e, dict) else None for e in elements]
        return tuple(
            child.content if child else str(element.get("kind")) if isinstance(element, dict) else repr(element)
            for element, child in zip(elements, children, strict=True)
        )


def _walk(calls: Calls) -> Iterator[tuple[Call, Nodes]]:
    """The learner's calls of the graph API that use descriptors, with what is known before each."""
    nodes = Nodes()
    for call in calls.own:
        if call.name.startswith("cudnnBackend"):
            yield call, nodes
            nodes.hear(call)


def _left_empty(node: Node, asked: bool) -> bool:
    """An engine configuration offered to the heuristics that they did not fill: they had fewer."""
    return node.type == "ENGINECFG" and not node.attributes and asked


@rule("backend_not_finalised", "graph-api")
def backend_not_finalised(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A graph-API descriptor is used that was never finalised, and is refused there or made part of another for good.

    libcudnn 9.19 finalises some operations around tensors that are not finalised, and never says so.
    """
    found = []
    asked = False
    for call, nodes in _walk(calls):
        asked = asked or call.args.get("attributeName") == RESULTS
        for name, node in nodes.used(call) if failed(call) or call.name == "cudnnBackendFinalize" else ():
            if not node.final and not node.tried and not _left_empty(node, asked):
                found.append(finding("backend_not_finalised", call, argument=name, id=node.id, type=node.type))
    return found


@rule("engine_support_unchecked", "graph-api")
def engine_support_unchecked(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """An engine, configuration or plan is used that the library refused or never offered."""
    found: dict[str, Finding] = {}
    asked = False
    for call, nodes in _walk(calls):
        asked = asked or call.args.get("attributeName") == RESULTS
        for name, node in nodes.used(call):
            if node.type in ENGINES and not node.final and node.id not in found and call is not node.refused:
                status = node.refused.status_name if node.refused else ""
                if node.refused or (failed(call) and _left_empty(node, asked)):
                    data = {"argument": name, "id": node.id, "type": node.type, "status": status}
                    found[node.id] = finding("engine_support_unchecked", call, **data)
    return list(found.values())


def refused_and_used(calls: Calls) -> dict[int, Call]:
    """Index of a refused cudnnBackendFinalize → the first call that uses its descriptor all the same.

    Only where the descriptor itself was at fault; engines, configurations and plans have a rule of their own.
    """
    found: dict[int, Call] = {}
    for call, nodes in _walk(calls):
        for _, node in nodes.used(call):
            if node.refused and call is not node.refused and node.type not in ENGINES:
                found.setdefault(node.refused.index, call)
    return found


@rule("plan_per_call", "graph-api", severity="info")
def plan_per_call(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """The same execution plan is built anew for each of several executions, where one would do."""
    found = []
    for case in calls.by_case.values():
        built: dict[str, Call] = {}
        run: dict[int, dict[str, Call]] = {}
        for call, nodes in _walk(case):
            node = nodes.get(str(value(call, "executionPlan").get("id")))
            if call.name == "cudnnBackendFinalize":
                built[str(value(call, "descriptor").get("id"))] = call
            elif node and node.id in built and call.name == "cudnnBackendExecute" and succeeded(call):
                plans = run.setdefault(node.content, {})
                waited = not plans or max(done.index for done in plans.values()) < built[node.id].index
                if waited or node.id in plans:
                    plans[node.id] = call
        for plans in run.values():
            if len(plans) >= MANY:
                second = built[list(plans)[1]]
                found.append(finding("plan_per_call", second, count=len(plans)))
    return found


@rule("graph_workspace_not_asked", "graph-api")
def graph_workspace_not_asked(calls: Calls, notes: Sequence[Note]) -> list[Finding]:
    """A variant pack holds a workspace, and no plan or configuration was ever asked how much it needs."""
    found = []
    asked = False
    for call, nodes in _walk(calls):
        pack = nodes.get(str(value(call, "variantPack").get("id")))
        if call.name == "cudnnBackendGetAttribute":
            asked = asked or str(call.args.get("attributeName")).endswith("_WORKSPACE_SIZE")
        elif call.name == "cudnnBackendExecute" and pack and not asked:
            space = _workspace(pack)
            if space.get("kind") == "device":
                found.append(finding("graph_workspace_not_asked", call, bytes=integer(space.get("bytes")) or 0))
    return found


def _workspace(pack: Node) -> Value:
    given = pack.attributes.get(WORKSPACE, [])
    return given[0] if given and isinstance(given[0], dict) else {}
