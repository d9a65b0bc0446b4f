import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { cn } from './cn'
import { Kbd } from './kbd'
import { usePlacement } from './placement'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  /** Read aloud, and shown as the tooltip. */
  label: string
  /** A key that does the same, shown beside the label. */
  shortcut?: string
  children: ReactNode
}

/** A button with an icon only; what it does is read aloud, and shown as a tooltip. */
export function IconButton({ label, shortcut, className, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        className={cn(
          'inline-grid size-8 shrink-0 place-items-center rounded-md border border-transparent text-mute transition-colors duration-100 hover:bg-hover hover:text-ink disabled:pointer-events-none disabled:opacity-45 aria-expanded:bg-hover touch:size-11 [&_svg]:size-4',
          className,
        )}
      >
        {children}
      </button>
    </Tooltip>
  )
}

const DELAY_MS = 450

/** Says again, for the eye, what the button inside is called; a touch screen never shows it. */
function Tooltip({ label, shortcut, children }: { label: string; shortcut?: string | undefined; children: ReactNode }) {
  const anchor = useRef<HTMLSpanElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const { open, listeners } = useAttention()
  const place = usePlacement(anchor, box, open, { side: 'bottom', align: 'center' })
  useEffect(() => {
    if (!open) return box.current?.hidePopover()
    box.current?.showPopover()
    place()
  }, [open, place])

  return (
    <span ref={anchor} className="inline-flex" {...listeners}>
      {children}
      <div
        ref={box}
        popover="manual"
        aria-hidden="true"
        className="pointer-events-none fixed items-center gap-2 rounded-sm bg-ink px-2 py-1 text-xs text-bg shadow-float open:flex open:animate-appear"
      >
        {open && label}
        {open && shortcut && <Kbd inverted>{shortcut}</Kbd>}
      </div>
    </span>
  )
}

/** Whether a mouse rests on something, or the keyboard's focus is there. */
function useAttention() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [open, setOpen] = useState(false)
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const listeners = {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') timer.current = setTimeout(() => setOpen(true), DELAY_MS)
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: (event: FocusEvent) => event.target.matches(':focus-visible') && setOpen(true),
    onBlur: hide,
    onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && hide(),
  }
  return { open, listeners }
}
