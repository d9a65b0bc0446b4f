'use client'

import { useTranslations } from 'next-intl'
import { Kbd } from '@/components/ui/kbd'
import { shownKeys, type CommandId } from '@/lib/keyboard/commands'

/** The keys of a command as they stand on this keyboard. */
export function CommandKeys({ id }: { id: CommandId }) {
  const t = useTranslations('palette.key')
  const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
  const nameOf = (key: string) => {
    if (key === 'Mod') return isApple ? '⌘' : 'Ctrl'
    if (key === 'Shift') return t('shift')
    if (key === 'Escape') return t('escape')
    return key
  }
  return (
    <span className="inline-flex gap-1">
      {shownKeys(id).map((key) => (
        <Kbd key={key}>{nameOf(key)}</Kbd>
      ))}
    </span>
  )
}
