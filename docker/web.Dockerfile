# The web program and the course. Of the grader only its contract and the API table: nothing here runs learner code.
FROM python:3.11-slim-bookworm

WORKDIR /opt/forwardpass

COPY requirements.lock ./
RUN python3 -m venv .venv \
 && .venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r requirements.lock

COPY pyproject.toml README.md alembic.ini ./
COPY app app
COPY grader/__init__.py grader/
COPY grader/contract grader/contract
COPY grader/native/api grader/native/api
COPY lessons lessons
COPY exercises exercises
COPY templates templates
COPY static static
RUN .venv/bin/pip install --no-cache-dir --disable-pip-version-check --no-deps --no-build-isolation --editable .

RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin forwardpass \
 && install -d -o 10001 -g 10001 -m 0700 /run/forwardpass
USER 10001:10001
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PATH=/opt/forwardpass/.venv/bin:$PATH

EXPOSE 8000
CMD ["forwardpass", "serve", "--host", "0.0.0.0", "--port", "8000"]
