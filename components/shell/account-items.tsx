import { Bell, BellOff, BookOpen, CircleQuestionMark, History, LogOut, Search, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useFindCommand } from '@/components/desk/commands'
import type { Account } from '@/components/desk/current-user'
import { useGo } from '@/components/desk/go'
import { PreferenceItems } from '@/components/desk/preferences'
import { useSignOut } from '@/components/desk/sign-out'
import { MenuItem, MenuSeparator } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { chooseNotices, noticesAreOn, onNoticesChoice } from '@/components/browser/browser-tab'

export function AccountItems({ account, hasLeads }: { account: Account; hasLeads: boolean }) {
  const t = useTranslations('shell.account')
  const shell = useTranslations('shell')
  const find = useFindCommand()
  const go = useGo()
  const signOut = useSignOut()
  const box = useRef<HTMLDivElement>(null)
  // Fetched on opening, this comes too late for the menu to give the focus to its first entry.
  useEffect(() => {
    if (!box.current?.parentElement?.contains(document.activeElement)) {
      box.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus()
    }
  }, [])
  const commands = [
    { icon: <Search />, words: shell('commands'), run: () => find('palette')?.() },
    { icon: <CircleQuestionMark />, words: shell('help'), run: () => find('help')?.() },
    { icon: <BookOpen />, words: t('handbook'), run: () => go('/help') },
    ...(hasLeads ? [{ icon: <History />, words: t('recent'), run: () => find('recentChanges')?.() }] : []),
  ]
  return (
    <div ref={box}>
      <div className="px-2.5 pt-1.5 pb-1 text-sm">
        <p className="truncate font-medium">{account.name}</p>
        <p className="truncate text-xs text-mute">{account.email}</p>
      </div>
      <MenuSeparator />
      {/* On a phone this is the only way to the first two. */}
      {commands.map(({ icon, words, run }) => (
        <MenuItem key={words} icon={icon} onSelect={run}>
          {words}
        </MenuItem>
      ))}
      <MenuSeparator />
      <PreferenceItems />
      <MenuSeparator />
      <MenuItem icon={<ShieldCheck />} onSelect={() => go('/account')}>
        {t('own')}
      </MenuItem>
      {hasLeads && <NoticesItem />}
      <MenuItem icon={<LogOut />} onSelect={() => void signOut()}>
        {t('signOut')}
      </MenuItem>
    </div>
  )
}

/** Notices of new leads, where the browser has them. It asks for permission only when a person turns them on. */
function NoticesItem() {
  const t = useTranslations('shell.account')
  const isOn = useSyncExternalStore(onNoticesChoice, noticesAreOn, () => false)
  if (!('Notification' in window)) return null
  const toggle = async () => {
    if (isOn) return chooseNotices(false)
    const isAllowed = (await Notification.requestPermission()) === 'granted'
    chooseNotices(isAllowed)
    toast(t(isAllowed ? 'noticesAreOn' : 'noticesDenied'), { tone: isAllowed ? 'plain' : 'error' })
  }
  return (
    <MenuItem icon={isOn ? <BellOff /> : <Bell />} onSelect={() => void toggle()}>
      {t(isOn ? 'noticesOff' : 'noticesOn')}
    </MenuItem>
  )
}
