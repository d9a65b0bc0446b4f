import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { buttonClass, type ButtonStyle } from './button-class'
import { Kbd, useShortcut } from './kbd'
import { Spinner } from './loading'

type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  ButtonStyle & {
    text: ReactNode
    icon?: LucideIcon
    /** The key that does the same as the button. It is shown and announced. */
    shortcut?: string | undefined
    busy?: boolean
  }

export function Button({ text, icon: Icon, shortcut: key, busy = false, ...props }: ButtonProps) {
  const { variant, size, className, disabled, ...rest } = props
  const shortcut = useShortcut(key)
  // A button may announce a key without showing it.
  const announcedShortcut = useShortcut(key ?? rest['aria-keyshortcuts'])
  return (
    <button
      type="button"
      {...rest}
      aria-keyshortcuts={announcedShortcut}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size, className })}
    >
      {busy && <Spinner className="size-3.5" />}
      {Icon && <Icon className={size === 'sm' ? 'size-3.5' : 'size-4'} />}
      {/* The text has an element of its own: translators replace bare text, which React then misses. */}
      <span className="contents">{text}</span>
      {shortcut && <Kbd inverted={variant === 'primary'}>{shortcut.replaceAll('+', ' ')}</Kbd>}
    </button>
  )
}
