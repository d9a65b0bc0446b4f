import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

/** What is known of how a person comes in, and the button for what can be done about it. */
export function UserLine({ isUrgent = false, action, children }: UserLineProps) {
  return (
    <div
      className={cn(
        'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line-soft px-3 py-2.5 text-sm last:border-b-0',
        isUrgent && 'bg-warn text-warn-ink',
      )}
    >
      <p className="min-w-0 flex-1 basis-48 text-pretty">{children}</p>
      {action}
    </div>
  )
}

type UserLineProps = {
  /** Something waits to be done. */
  isUrgent?: boolean
  action?: ReactNode
  children: ReactNode
}
