import { useTranslations } from 'next-intl'
import { chooseCharacters, useAreCharactersCommands } from '@/components/browser/browser-tab'
import { Checkbox } from '@/components/ui/field'

/** Whoever dictates, or presses keys without meaning to, can do without characters as commands (WCAG 2.1.4). */
export function CharactersChoice() {
  const t = useTranslations('palette.characters')
  return (
    <Checkbox label={t('label')} hint={t('hint')} checked={useAreCharactersCommands()} onChange={chooseCharacters} />
  )
}
