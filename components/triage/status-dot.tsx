import { cn } from '@/components/ui/cn'
import type { LeadStatus } from '@/lib/contract/lead'

const colour: Record<LeadStatus, string> = {
  new: 'text-status-new',
  'in-progress': 'text-status-progress',
  handled: 'text-status-handled',
  dismissed: 'text-status-dismissed',
}

type StatusDotProps = { status: LeadStatus; label?: string; look?: typeof shapes | undefined }

/** A status by shape as well as by colour: full, half, ticked, struck. Give `label` where no word stands beside it. */
export function StatusDot({ status, label, look = shapes }: StatusDotProps) {
  return (
    <svg
      viewBox="0 0 14 14"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className={cn('size-3.5 shrink-0', colour[status])}
    >
      {label && <title>{label}</title>}
      {look[status]}
    </svg>
  )
}

const ring = <circle cx="7" cy="7" r="5.75" fill="none" stroke="currentColor" strokeWidth="1.75" />
const disc = <circle cx="7" cy="7" r="6.5" fill="currentColor" />

export const shapes = {
  new: disc,
  'in-progress': (
    <>
      {ring}
      <path d="M7 3.4a3.6 3.6 0 0 1 0 7.2z" fill="currentColor" />
    </>
  ),
  handled: (
    <>
      {disc}
      <path
        d="m4.2 7.3 1.9 1.9 3.7-4.3"
        className="stroke-panel"
        fill="none"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </>
  ),
  dismissed: (
    <>
      {ring}
      <path d="m4.4 4.4 5.2 5.2" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
} satisfies Record<LeadStatus, unknown>
