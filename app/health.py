"""For load balancers and container health checks."""

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from app.deps import ReadSession, ServicesDep
from app.submissions import service

router = APIRouter()


@router.get("/healthz")
async def healthz(services: ServicesDep, session: ReadSession) -> Response:
    """200 as long as pages can be served, which needs the database; the grader may be down for a while."""
    queue = await service.waiting(session)
    return JSONResponse({"status": "ok", "grader": services.grader_view().state, "queue": queue})
