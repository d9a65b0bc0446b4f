import { cn } from './cn'

export type ButtonStyle = {
  variant?: keyof typeof variants | undefined
  size?: keyof typeof sizes | undefined
  className?: string | undefined
}

export function buttonClass({ variant = 'secondary', size = 'md', className }: ButtonStyle = {}): string {
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
