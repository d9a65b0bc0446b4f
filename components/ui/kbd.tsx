import type { ReactNode } from 'react'
import { cn } from './cn'

export function Kbd({ children, inverted = false }: { children: ReactNode; inverted?: boolean }) {
  return (
    <kbd
      className={cn(
        'inline-grid h-4.5 min-w-4.5 place-items-center rounded-xs border px-1 font-sans text-2xs leading-none touch:hidden',
        inverted ? 'border-current/35 text-current' : 'border-line bg-panel text-faint',
      )}
    >
      {children}
    </kbd>
  )
}

/** The key that goes with letters here: Command on a Mac, Control elsewhere. Only in the browser. */
export function modifierKey(): string {
  return /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'
}
