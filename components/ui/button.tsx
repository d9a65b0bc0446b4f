import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn'
import { Kbd, useShortcut } from './kbd'
import { Spinner } from './loading'

type ButtonProps = Omit<ComponentProps<'button'>, 'children'> &
  ButtonLook & {
    text: ReactNode
    icon?: LucideIcon
    /** The key that does the same, shown and announced. */
    shortcut?: string | undefined
    /** What it began is under way; it takes no second press. */
    busy?: boolean
  }

export function Button({ text, icon: Icon, shortcut: key, busy = false, ...props }: ButtonProps) {
  const { variant, size, className, disabled, ...rest } = props
  const shortcut = useShortcut(key)
  const announced = useShortcut(key ?? rest['aria-keyshortcuts'])
  return (
    <button
      type="button"
      {...rest}
      aria-keyshortcuts={announced}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size, className })}
    >
      {busy && <Spinner className="size-3.5" />}
      {Icon && <Icon className={size === 'sm' ? 'size-3.5' : 'size-4'} />}
      {/* A text of its own beside what comes and goes: extensions and translators replace bare ones, which React then misses. */}
      <span className="contents">{text}</span>
      {shortcut && <Kbd inverted={variant === 'primary'}>{shortcut.replace('+', ' ')}</Kbd>}
    </button>
  )
}

type ButtonLook = {
  variant?: keyof typeof variants | undefined
  size?: keyof typeof sizes | undefined
  className?: string | undefined
}

export function buttonClass({ variant = 'secondary', size = 'md', className }: ButtonLook = {}): string {
  return cn('button', variants[variant], sizes[size], className)
}

const variants = {
  primary:
    'border-accent bg-accent text-accent-ink not-disabled:hover:border-accent-strong not-disabled:hover:bg-accent-strong',
  secondary: 'border-line bg-panel text-ink hover:bg-hover aria-expanded:bg-hover',
  accent: 'border-accent bg-panel text-accent hover:bg-hover',
  ghost: 'border-transparent text-mute hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink',
  danger: 'border-line bg-panel text-danger hover:bg-danger-soft',
}

const sizes = { sm: 'h-7 px-2.5 text-xs', md: 'h-8 px-3 text-sm', lg: 'h-10 px-4 text-base' }
