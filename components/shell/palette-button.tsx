'use client'

import { Command } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { IconButton } from '@/components/ui/icon-button'
import { useFindCommand } from './commands'

/** The palette for those who do not know its key yet. */
export function PaletteButton() {
  const t = useTranslations('shell')
  const find = useFindCommand()
  return (
    <IconButton label={t('commands')} shortcut="Control+K" onClick={() => find('palette')?.()}>
      <Command aria-hidden />
    </IconButton>
  )
}
