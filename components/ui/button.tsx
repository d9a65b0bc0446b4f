import type { ComponentProps } from 'react'
import { type ButtonLook, buttonClass } from './button-class'
import { Spinner } from './spinner'

export type ButtonProps = ComponentProps<'button'> & ButtonLook & { busy?: boolean }

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
