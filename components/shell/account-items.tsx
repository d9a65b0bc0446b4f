'use client'

import { Bell, BellOff, LogOut } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import { MenuItem, MenuSeparator } from '@/components/ui/menu'
import type { Account } from './account-menu'
import { PreferenceItems } from './preference-items'
import { useLeave } from './use-leave'
import { useNotices } from './use-notices'

/** What the account menu holds. */
export function AccountItems({ account, hasLeads }: { account: Account; hasLeads: boolean }) {
  const t = useTranslations('shell.account')
  const leave = useLeave()
  const box = useRef<HTMLDivElement>(null)
  // Fetched on opening, this comes too late for the menu to give the focus to its first entry.
  useEffect(() => {
    if (!box.current?.parentElement?.contains(document.activeElement)) {
      box.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    }
  }, [])
  return (
    <div ref={box}>
      <div className="px-2.5 pt-1.5 pb-1 text-sm">
        <p className="truncate font-medium">{account.name}</p>
        <p className="truncate text-xs text-mute">{account.email}</p>
      </div>
      <MenuSeparator />
      <PreferenceItems />
      <MenuSeparator />
      {hasLeads && <NoticesItem />}
      <MenuItem icon={<LogOut />} onSelect={() => void leave()}>
        {t('signOut')}
      </MenuItem>
    </div>
  )
}

/** A browser that cannot show notices is not offered them. */
function NoticesItem() {
  const t = useTranslations('shell.account')
  const { isOn, isPossible, toggle } = useNotices()
  if (!isPossible) return null
  return (
    <MenuItem icon={isOn ? <BellOff /> : <Bell />} onSelect={() => void toggle()}>
      {t(isOn ? 'noticesOff' : 'noticesOn')}
    </MenuItem>
  )
}
