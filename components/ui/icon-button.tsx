import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { Tooltip } from './tooltip'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  /** Read aloud, and shown as the tooltip. */
  label: string
  /** A key that does the same, shown beside the label. */
  shortcut?: string
  bordered?: boolean
  children: ReactNode
}

export function IconButton({ label, shortcut, bordered = false, className, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        className={cn(
          'inline-grid size-8 shrink-0 place-items-center rounded-md border text-mute transition-colors duration-100 hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-45 aria-expanded:bg-hover touch:size-11 [&_svg]:size-4',
          bordered ? 'border-line bg-panel' : 'border-transparent',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  )
}
