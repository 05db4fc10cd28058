"""Best times of the challenges, and the names on their boards."""

import sqlalchemy as sa
from alembic import op

revision = "2026_12_02_leaderboard"
down_revision = "2026_12_02_started_at"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "best_times",
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("exercise", sa.String(length=100), nullable=False),
        sa.Column("device", sa.String(length=100), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("language", sa.String(length=10), nullable=False),
        sa.Column("cudnn_version", sa.Integer(), nullable=False),
        sa.Column("reached_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["reader_id"], ["readers.id"], name="fk_best_times_reader_id_readers", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("reader_id", "exercise", "device", name="pk_best_times"),
    )
    op.create_index("ix_best_times_board", "best_times", ["exercise", "device", "seconds"])
    op.create_table(
        "board_names",
        sa.Column("reader_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["reader_id"], ["readers.id"], name="fk_board_names_reader_id_readers", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("reader_id", name="pk_board_names"),
        sa.UniqueConstraint("name", name="uq_board_names_name"),
    )


def downgrade() -> None:
    op.drop_table("board_names")
    op.drop_table("best_times")
