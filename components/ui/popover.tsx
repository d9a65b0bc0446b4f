import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cn } from './cn'

export type PopoverProps = {
  trigger: (props: ComponentProps<'button'>) => ReactNode
  children: (close: () => void) => ReactNode
  label: string
  role?: 'dialog' | 'menu'
  /** The popover opens at this side of its button, or at another where there is no room. */
  side?: 'bottom' | 'top'
  align?: 'start' | 'end'
  className?: string
  onOpen?: (box: HTMLElement) => void
}

/** The browser's own popover, beside its button. It closes on Escape and on a press outside, and returns the focus. */
export function Popover({ trigger, children, label, role = 'dialog', className, ...rest }: PopoverProps) {
  const { side = 'bottom', align = 'start', onOpen } = rest
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  // The browser may have opened the popover before this script was loaded.
  useEffect(() => {
    if (box.current?.matches(':popover-open')) setOpen(true)
  }, [])
  return (
    <>
      {trigger({
        popoverTarget: id,
        'aria-expanded': isOpen,
        'aria-haspopup': role,
        style: { anchorName: `--${id}` },
      })}
      <div
        ref={box}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        onBeforeToggle={(event) => event.newState === 'open' && setOpen(true)}
        onToggle={(event) => {
          if (event.newState === 'closed') setOpen(false)
          else onOpen?.(event.currentTarget)
        }}
        className={cn('floating', className)}
        style={{ positionAnchor: `--${id}`, positionArea: `${side} span-${align === 'start' ? 'right' : 'left'}` }}
      >
        {isOpen && <div>{children(() => document.getElementById(id)?.hidePopover())}</div>}
      </div>
    </>
  )
}
