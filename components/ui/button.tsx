import type { ComponentProps } from 'react'
import { buttonClass, type ButtonLook } from './button-class'
import { Spinner } from './loading'

type ButtonProps = ComponentProps<'button'> & ButtonLook & { busy?: boolean }

/** `busy` says that what it began is under way, and takes no second press. */
export function Button({
  variant = 'secondary',
  size = 'md',
  busy = false,
  className,
  children,
  type = 'button',
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass({ variant, size, className })}
    >
      {busy && <Spinner className="size-3.5" />}
      {children}
    </button>
  )
}
