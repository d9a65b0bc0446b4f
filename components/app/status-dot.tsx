import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'
import type { LeadKind, LeadStatus } from '@/lib/contract/lead'

type StatusDotProps = { status: LeadStatus; label?: string; kind?: LeadKind | undefined }

/**
 * Shows a status by its filling as well as by its colour: full, half, ticked, struck. The outline is the kind: a
 * declaration is square. Pass `label` where the status is not written beside it.
 */
export function StatusDot({ status, label, kind }: StatusDotProps) {
  const isFull = status === 'new' || status === 'handled'
  const inset = isFull ? 0.5 : 1.25
  const size = 14 - 2 * inset
  return (
    <svg
      viewBox="0 0 14 14"
      role={label && 'img'}
      aria-label={label}
      aria-hidden={label === undefined}
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={cn('size-3.5 shrink-0', statusColours[status])}
    >
      {label && <title>{label}</title>}
      <rect
        x={inset}
        y={inset}
        width={size}
        height={size}
        rx={kind === 'declaration-of-interest' ? 3 : size / 2}
        fill={isFull ? 'currentColor' : undefined}
        stroke={isFull ? undefined : 'currentColor'}
        strokeWidth="1.75"
      />
      {statusMarks[status]}
    </svg>
  )
}

const statusColours: Record<LeadStatus, string> = {
  new: 'text-status-new',
  'in-progress': 'text-status-progress',
  handled: 'text-status-handled',
  dismissed: 'text-status-dismissed',
}

const statusMarks: Record<LeadStatus, ReactNode> = {
  new: null,
  'in-progress': <path d="M7 3.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" />,
  handled: <path d="m4.2 7.3 1.9 1.9 3.7-4.3" className="stroke-panel" />,
  dismissed: <path d="m4.4 4.4 5.2 5.2" stroke="currentColor" />,
}
