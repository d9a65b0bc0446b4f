import type { LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn'
import { useShortcut } from './kbd'

type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'children'> & {
  label: string
  icon: LucideIcon
  shortcut?: string
}

export function IconButton({ label, icon: Icon, shortcut: key, className, ...rest }: IconButtonProps) {
  const shortcut = useShortcut(key)
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={shortcut ? `${label} (${shortcut})` : label}
      className={cn('icon-button', className)}
    >
      <Icon />
    </button>
  )
}
