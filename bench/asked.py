"""What measurements can be asked for; `hamle bench` refuses anything else."""

from __future__ import annotations

from typing import Annotated, Literal

from annotated_types import Ge

Count = Annotated[int, Ge(1)]
Fsync = Literal["always", "everysec"]
GrpcServer = Literal["native", "grpcio"]
