import type { ReactNode } from 'react'
import { cn } from './cn'

/** A word set apart from the text around it. */
export function Badge({ tone = 'accent', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={cn(
        'inline-flex max-w-full items-center gap-1 rounded-sm px-2 text-xs leading-5 font-medium',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

const tones = {
  accent: 'bg-accent-soft text-ink',
  neutral: 'border border-line leading-4.5 text-mute',
  warn: 'bg-warn text-warn-ink',
  danger: 'bg-danger-soft text-danger-ink',
}
