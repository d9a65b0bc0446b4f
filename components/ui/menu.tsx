import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { cn } from './cn'
import { Popover, type PopoverProps } from './popover'

/** A menu button (WAI-ARIA APG): arrows, Home, End and first letters move; Tab and Escape leave. */
export function Menu({ children, className, ...rest }: Omit<PopoverProps, 'role' | 'onOpened'>) {
  return (
    <Popover {...rest} role="menu" className={cn('min-w-44 p-1', className)}>
      {(close) => <MenuKeys close={close}>{children(close)}</MenuKeys>}
    </Popover>
  )
}

/** The keys of a menu. A popover whose entries are loaded late opens before this is there. */
export function MenuKeys({ close, children }: { close: () => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const popover = box.current?.closest('[popover]')
    const focusFirst = () => {
      const items = itemsIn(popover)
      const isChoice = items.every((item) => item.ariaChecked !== null)
      const chosen = isChoice ? items.find((item) => item.ariaChecked === 'true') : undefined
      ;(chosen ?? items[0])?.focus()
    }
    if (popover?.matches(':popover-open')) focusFirst()
    else popover?.addEventListener('toggle', focusFirst, { once: true })
  }, [])
  const moveFocus = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return close()
    const all = itemsIn(box.current)
    const here = all.findIndex((item) => item === document.activeElement)
    const after = [...all.slice(here + 1), ...all.slice(0, here + 1)]
    const letter = event.key.length === 1 && event.key !== ' ' ? event.key.toLowerCase() : null
    const targets: Partial<Record<string, HTMLElement>> = {
      ArrowDown: after[0],
      ArrowUp: all.at(here <= 0 ? -1 : here - 1),
      Home: all[0],
      End: all.at(-1),
    }
    const next =
      targets[event.key] ??
      after.find((item) => letter !== null && item.textContent.trim().toLowerCase().startsWith(letter))
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    next.focus()
  }
  return (
    <div
      ref={box}
      onKeyDown={moveFocus}
      onPointerMove={({ target }) => {
        if (target instanceof Element) target.closest<HTMLElement>('[role^=menuitem]')?.focus()
      }}
    >
      {children}
    </div>
  )
}

const itemsIn = (box: Element | null | undefined) => [...(box?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

type MenuItemProps = { children: ReactNode; onSelect: () => void; checked?: boolean; icon?: ReactNode }

export function MenuItem({ children, onSelect, checked, icon }: MenuItemProps) {
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      tabIndex={-1}
      onClick={onSelect}
      className={menuItemClass}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {checked && <Check />}
    </button>
  )
}

export const menuItemClass =
  'flex min-h-8 w-full items-center gap-2.5 rounded-sm px-2.5 text-left text-sm hover:bg-hover focus:bg-hover focus-visible:outline-none touch:min-h-11 [:where(&>svg)]:size-4 [:where(&>svg)]:shrink-0 [:where(&>svg)]:text-mute'

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">{children}</div>
}

export function MenuSeparator() {
  return <hr className="my-1 border-line-soft" />
}
