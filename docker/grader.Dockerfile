# The grading program and what it needs: a compiler, bubblewrap, the simulated cuDNN. No web program, no database driver.
# With LOCK=requirements-gpu.lock it also holds CuPy, cuDNN 9 and the CUDA 12 runtime; the driver comes from the host.
FROM python:3.11-slim-bookworm

WORKDIR /opt/forwardpass

COPY scripts/system-packages.sh scripts/python.sh scripts/
RUN PYTHON=/usr/local/bin/python3 scripts/system-packages.sh run && rm -rf /var/lib/apt/lists/*

ARG LOCK=requirements-grader.lock
COPY ${LOCK} ./
RUN python3 -m venv .venv \
 && .venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes -r ${LOCK}

COPY grader grader
COPY exercises exercises
RUN .venv/bin/python -m grader.native.build

# The web container's process has the same number: only it may open the socket.
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin forwardpass \
 && install -d -o 10001 -g 10001 -m 0700 /run/forwardpass /var/cache/forwardpass
USER 10001:10001
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 FP_VAR=/var/cache/forwardpass

ENTRYPOINT [".venv/bin/python", "-m", "grader"]
CMD ["worker", "--socket", "/run/forwardpass/grader.sock"]
