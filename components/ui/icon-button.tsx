import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, FocusEvent, KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { optionalPart } from '@/components/browser/lazy-code'
import { cn } from './cn'
import { useShortcut } from './kbd'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  label: string
  icon: LucideIcon
  shortcut?: string
}

const Tooltip = optionalPart(async () => (await import('./tooltip')).Tooltip)

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
