import { Check } from 'lucide-react'
import type { ComponentProps, KeyboardEvent, ReactNode } from 'react'
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

/** The keys of a menu; where its entries come late, their popover opens without it. */
export function MenuKeys({ close, children }: { close: () => void; children: ReactNode }) {
  return (
    <div
      ref={focusOnceOpen}
      onKeyDown={(event) => moveFocus(event, close)}
      onPointerMove={({ target }) => {
        if (target instanceof Element) target.closest<HTMLElement>('[role^=menuitem]')?.focus()
      }}
    >
      {children}
    </div>
  )
}

function focusOnceOpen(box: HTMLElement | null): void {
  const popover = box?.closest('[popover]')
  if (!box || !popover) return
  const focus = () => {
    const items = itemsIn(box)
    const isChoice = items.every((item) => item.ariaChecked !== null)
    const chosen = isChoice ? items.find((item) => item.ariaChecked === 'true') : undefined
    ;(chosen ?? items[0])?.focus()
  }
  if (popover.matches(':popover-open')) focus()
  else popover.addEventListener('toggle', focus, { once: true })
}

type MenuItemProps = { children: ReactNode; onSelect: () => void; checked?: boolean; icon?: ReactNode }

export function MenuItem({ children, onSelect, checked, icon }: MenuItemProps) {
  return (
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      tabIndex={-1}
      onClick={onSelect}
      className={entryClass}
    >
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {checked && <Check />}
    </button>
  )
}

export const entryClass =
  'flex min-h-8 w-full items-center gap-2.5 rounded-sm px-2.5 text-left text-sm hover:bg-hover focus:bg-hover focus-visible:outline-none touch:min-h-11 [:where(&>svg)]:size-4 [:where(&>svg)]:shrink-0 [:where(&>svg)]:text-mute'

type ChoiceMenuProps = Omit<ComponentProps<typeof Menu>, 'children'> & {
  entries: readonly (Omit<MenuItemProps, 'children'> & { id?: string; text: string })[]
}

export function ChoiceMenu({ entries, ...menu }: ChoiceMenuProps) {
  return (
    <Menu {...menu}>
      {(close) =>
        entries.map(({ id, text, onSelect, ...look }) => (
          <MenuItem key={id ?? text} {...look} onSelect={() => (close(), onSelect())}>
            {text}
          </MenuItem>
        ))
      }
    </Menu>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">{children}</div>
}

export function MenuSeparator() {
  return <hr className="my-1 border-line-soft" />
}

function itemsIn(box: Element): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[role^=menuitem]')]
}

function moveFocus(event: KeyboardEvent<HTMLElement>, close: () => void) {
  if (event.key === 'Tab') return close()
  const items = itemsIn(event.currentTarget)
  const here = items.findIndex((item) => item === document.activeElement)
  const after = [...items.slice(here + 1), ...items.slice(0, here + 1)]
  const targets: Partial<Record<string, HTMLElement>> = {
    ArrowDown: after[0],
    ArrowUp: items.at(here <= 0 ? -1 : here - 1),
    Home: items[0],
    End: items.at(-1),
  }
  const letter = event.key.length === 1 && event.key !== ' ' ? event.key.toLowerCase() : null
  const isOfLetter = (item: HTMLElement) => letter !== null && item.textContent.trim().toLowerCase().startsWith(letter)
  const next = targets[event.key] ?? after.find(isOfLetter)
  if (!next) return
  event.preventDefault()
  event.stopPropagation()
  next.focus()
}
