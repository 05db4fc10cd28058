"""When the grading of a submission began: readers take turns by it."""

import sqlalchemy as sa
from alembic import op

revision = "2026_12_02_started_at"
down_revision = "2026_12_01_first_tables"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submissions", sa.Column("started_at", sa.DateTime(timezone=True)))
    op.create_index("ix_submissions_started", "submissions", ["started_at"])


def downgrade() -> None:
    op.drop_index("ix_submissions_started", "submissions")
    with op.batch_alter_table("submissions") as table:
        table.drop_column("started_at")
