import { Check } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { cn } from './cn'
import { Popover, type PopoverProps } from './popover'

/** A menu button (WAI-ARIA APG): arrows, Home, End and first letters move the focus; Tab and Escape close the menu. */
export function Menu({ children, className, ...rest }: Omit<PopoverProps, 'role' | 'onOpen'>) {
  return (
    <Popover {...rest} role="menu" className={cn('min-w-44 p-1', className)}>
      {(close) => <MenuKeyboard close={close}>{children(close)}</MenuKeyboard>}
    </Popover>
  )
}

/** Handles the keyboard of a menu. A menu that is loaded on demand may mount in a popover that is open already. */
export function MenuKeyboard({ close, children }: { close: () => void; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const popover = box.current?.closest('[popover]')
    const focusFirst = () => findItems(popover)[0]?.focus()
    if (popover?.matches(':popover-open')) focusFirst()
    else popover?.addEventListener('toggle', focusFirst, { once: true })
  }, [])
  const moveFocus = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return close()
    // A key with a modifier is a shortcut, not the first letter of an item.
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const items = findItems(box.current)
    const focusedIndex = items.findIndex((item) => item === document.activeElement)
    const followingItems = [...items.slice(focusedIndex + 1), ...items.slice(0, focusedIndex + 1)]
    const letter = event.key.length === 1 && event.key !== ' ' ? event.key.toLowerCase() : null
    const targetByKey: Partial<Record<string, HTMLElement>> = {
      ArrowDown: followingItems[0],
      ArrowUp: items.at(focusedIndex <= 0 ? -1 : focusedIndex - 1),
      Home: items[0],
      End: items.at(-1),
    }
    const nextItem =
      targetByKey[event.key] ??
      followingItems.find((item) => letter !== null && item.textContent.trim().toLowerCase().startsWith(letter))
    if (!nextItem) return
    event.preventDefault()
    event.stopPropagation()
    nextItem.focus()
  }
  return (
    <div ref={box} onKeyDown={moveFocus}>
      {children}
    </div>
  )
}

const findItems = (box?: Element | null) => [...(box?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]

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
