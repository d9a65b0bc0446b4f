import type { ReactNode } from 'react'
import { cn } from '@/components/ui/cn'

export function Notice({ tone, children }: { tone: 'danger' | 'plain'; children: ReactNode }) {
  return (
    <p
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cn(
        'rounded-md px-3 py-2.5 text-sm',
        tone === 'danger' ? 'bg-danger-soft text-danger-ink' : 'bg-accent-soft text-ink',
      )}
    >
      {children}
    </p>
  )
}
