import type { ReactNode } from 'react'
import { cn } from './cn'

type PageHeaderProps = {
  title: string
  /** What the screen is for, or what it shows. */
  lead: ReactNode
  action?: ReactNode
  /** `wide` gives the lead the whole width; `large` is for a screen that is also printed. */
  look?: 'plain' | 'wide' | 'large'
}

/** What a screen is called and what it is for, and what can be done with the whole of it. */
export function PageHeader({ title, lead, action, look = 'plain' }: PageHeaderProps) {
  const isLarge = look === 'large'
  return (
    <header
      className={cn('flex flex-wrap justify-between gap-y-3', isLarge ? 'items-center gap-x-8' : 'items-end gap-x-10')}
    >
      <div className={isLarge ? 'min-w-0' : undefined}>
        <h1 className={cn('font-semibold', isLarge ? 'text-xl text-balance' : 'text-lg')}>{title}</h1>
        <p
          suppressHydrationWarning
          className={cn(
            'text-sm text-mute',
            { plain: 'max-w-prose', wide: 'text-pretty', large: 'wrap-anywhere' }[look],
          )}
        >
          {lead}
        </p>
      </div>
      {action}
    </header>
  )
}
