import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { cn } from './cn'
import { FailureId } from './failure-id'

type NoticeProps = {
  tone?: keyof typeof tones
  size?: keyof typeof sizes
  /** Screen readers read an `alert` at once, a `status` when the user pauses, and any other notice like text. */
  role?: 'alert' | 'status'
  className?: string
  children: ReactNode
}

export function Notice({ tone = 'warn', size = 'md', role, className, children }: NoticeProps) {
  return (
    <div role={role} className={cn('rounded-md', tones[tone], sizes[size], className)}>
      {children}
    </div>
  )
}

const tones = { warn: 'bg-warn text-warn-ink', danger: 'bg-danger-soft text-danger-ink', plain: 'bg-fill text-ink' }

const sizes = { xs: 'px-3 py-2 text-xs', sm: 'px-3 py-2 text-sm', md: 'px-3 py-2.5 text-sm' }

export function OutdatedBanner({ text }: { text?: string }) {
  const t = useTranslations('common')
  return <Notice role="alert">{text ?? t('outdated')}</Notice>
}

export function ProblemText({ text, className }: { text: string | null; className?: string }) {
  if (text === null) return null
  return (
    <p role="alert" className={cn('text-sm text-danger', className)}>
      {text}
      <FailureId />
    </p>
  )
}
