'use client'

import { Languages } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { PreferenceItems } from '@/components/shell/preference-items'
import { Menu } from '@/components/ui/menu'

/** Language and looks for somebody who is not signed in yet. */
export function LanguageSwitch() {
  const t = useTranslations('signin')
  return (
    <Menu
      label={t('preferences')}
      align="end"
      trigger={(props) => (
        <button
          {...props}
          type="button"
          aria-label={t('preferences')}
          className="grid size-9 place-items-center rounded-md text-mute hover:bg-hover hover:text-ink aria-expanded:bg-hover touch:size-11"
        >
          <Languages className="size-4.5" aria-hidden="true" />
        </button>
      )}
    >
      {() => <PreferenceItems />}
    </Menu>
  )
}
