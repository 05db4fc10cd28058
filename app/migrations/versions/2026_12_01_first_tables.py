"""Readers, drafts, help, lesson progress, quiz answers, submissions and their events."""

import sqlalchemy as sa
from alembic import op

revision = "2026_12_01_first_tables"
down_revision = None
branch_labels = None
depends_on = None

UNFINISHED = sa.text("status IN ('queued', 'running')")
TABLES = ["submission_events", "submissions", "quiz_answers", "lesson_progress", "help", "drafts", "readers"]


def upgrade() -> None:
    op.create_table(
        "readers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_readers"),
        sa.UniqueConstraint("token_hash", name="uq_readers_token_hash"),
    )
    op.create_table(
        "drafts",
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=100), nullable=False),
        sa.Column("language", sa.String(length=10), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("previous", sa.Text(), nullable=True),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["reader_id"], ["readers.id"], name="fk_drafts_reader_id_readers", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reader_id", "exercise", "language", name="pk_drafts"),
    )
    op.create_table(
        "help",
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=100), nullable=False),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("gave_up_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["reader_id"], ["readers.id"], name="fk_help_reader_id_readers", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("reader_id", "exercise", name="pk_help"),
    )
    op.create_table(
        "lesson_progress",
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=100), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("heading", sa.String(length=200), nullable=False),
        sa.Column("visited_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["reader_id"], ["readers.id"], name="fk_lesson_progress_reader_id_readers", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("reader_id", "lesson", name="pk_lesson_progress"),
    )
    op.create_table(
        "quiz_answers",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("lesson", sa.String(length=100), nullable=False),
        sa.Column("question", sa.String(length=100), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("answer", sa.JSON(), nullable=False),
        sa.Column("correct", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["reader_id"], ["readers.id"], name="fk_quiz_answers_reader_id_readers", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_quiz_answers"),
        sa.UniqueConstraint("reader_id", "lesson", "question", "attempt", name="uq_quiz_answers_attempt"),
    )
    op.create_table(
        "submissions",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("purpose", sa.String(length=10), nullable=False),
        sa.Column("exercise", sa.String(length=100), nullable=False),
        sa.Column("language", sa.String(length=10), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=10), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("faults", sa.Integer(), nullable=False),
        sa.Column("events", sa.Integer(), nullable=False),
        sa.Column("cancelled", sa.Boolean(), nullable=False),
        sa.Column("code", sa.String(length=20), nullable=False),
        sa.Column("backend", sa.String(length=10), nullable=False),
        sa.Column("passed", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("detail", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["reader_id"], ["readers.id"], name="fk_submissions_reader_id_readers", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("number", name="pk_submissions"),
        sa.UniqueConstraint("id", name="uq_submissions_id"),
    )
    op.create_index("ix_submissions_reader", "submissions", ["reader_id", "exercise", "number"])
    op.create_index(
        "ix_submissions_unfinished", "submissions", ["number"], sqlite_where=UNFINISHED, postgresql_where=UNFINISHED
    )
    op.create_index(
        "uq_submissions_one_unfinished",
        "submissions",
        ["reader_id", "exercise"],
        unique=True,
        sqlite_where=UNFINISHED,
        postgresql_where=UNFINISHED,
    )

    op.create_table(
        "submission_events",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=True),
        sa.Column("type", sa.String(length=10), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["submission"],
            ["submissions.number"],
            name="fk_submission_events_submission_submissions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_submission_events"),
        sa.UniqueConstraint("submission", "attempt", "seq", name="uq_submission_events_from_grader"),
        sa.UniqueConstraint("submission", "number", name="uq_submission_events_number"),
    )


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
