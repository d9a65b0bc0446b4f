import type { LucideIcon } from 'lucide-react'
import {
  type ComponentProps,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { cn } from './cn'
import { Kbd, modifierKey, useShortcut } from './kbd'
import { setPopover, usePlacement } from './popover'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  label: string
  icon: LucideIcon
  shortcut?: string
}

export function IconButton({ label, icon: Icon, shortcut: key, className, ...rest }: IconButtonProps) {
  const shortcut = useShortcut(key)
  const anchor = useRef<HTMLSpanElement>(null)
  const { isNoticed, listeners } = useAttention()
  return (
    <span ref={anchor} className="inline-flex" {...listeners}>
      <button
        type="button"
        {...rest}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        className={cn('icon-button', className)}
      >
        <Icon />
      </button>
      {isNoticed && <Tooltip anchor={anchor} label={label} shortcut={shortcut} />}
    </span>
  )
}

const DELAY_MS = 450

function useAttention() {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [isNoticed, setNoticed] = useState(false)
  const hide = () => {
    clearTimeout(timer.current)
    setNoticed(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const listeners = {
    onPointerEnter: (event: PointerEvent) => {
      if (event.pointerType === 'mouse') timer.current = setTimeout(() => setNoticed(true), DELAY_MS)
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: (event: FocusEvent) => event.target.matches(':focus-visible') && !isGivenBack(event) && setNoticed(true),
    onBlur: hide,
    onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && hide(),
  }
  return { isNoticed, listeners }
}

/** The focus came back from a menu or dialog that closed, so the user did not ask what the button does. */
function isGivenBack({ relatedTarget }: FocusEvent): boolean {
  return relatedTarget instanceof Element && relatedTarget.closest('[popover], dialog') !== null
}

type TooltipProps = { anchor: RefObject<HTMLElement | null>; label: string; shortcut: string | undefined }

/** Says again, for the eye, what a button is called, as long as it is there; a touch screen never shows it. */
function Tooltip({ anchor, label, shortcut }: TooltipProps) {
  const box = useRef<HTMLDivElement>(null)
  const place = usePlacement(anchor, box, true, { side: 'bottom', align: 'center' })
  useEffect(() => {
    // Not at once: the focus may come from a menu that is just closing, and no popover may open within that.
    const frame = requestAnimationFrame(() => {
      setPopover(box.current, true)
      place()
    })
    return () => cancelAnimationFrame(frame)
  }, [place])
  return (
    <div
      ref={box}
      popover="manual"
      aria-hidden="true"
      className="pointer-events-none fixed items-center gap-2 rounded-sm bg-ink px-2 py-1 text-xs text-bg shadow-float open:flex open:animate-appear"
    >
      {label}
      {shortcut && <Kbd inverted>{shortcut.replace('Control+', `${modifierKey()} `)}</Kbd>}
    </div>
  )
}
