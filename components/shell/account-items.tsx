import { Bell, BellOff, BookOpen, CircleQuestionMark, LogOut, Search, ShieldCheck } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useSyncExternalStore } from 'react'
import { useFindCommand } from '@/components/desk/commands'
import type { Account } from '@/components/desk/current-user'
import { useNavigate } from '@/components/desk/navigate'
import { PreferenceItems } from '@/components/desk/preferences'
import { MenuItem, MenuKeys, MenuSeparator } from '@/components/ui/menu'
import { toast } from '@/components/ui/toast'
import { chooseNotices, noticesAreOn, onNoticesChoice } from '@/components/browser/browser-tab'
import { requestSignOut } from '@/components/browser/unsaved-work'

export function AccountItems({ account, hasLeads, close }: { account: Account; hasLeads: boolean; close: () => void }) {
  const t = useTranslations('shell.account')
  const shell = useTranslations('shell')
  const find = useFindCommand()
  const navigate = useNavigate()
  const commands = [
    { icon: <Search />, label: shell('commands'), run: () => find('palette')?.() },
    { icon: <CircleQuestionMark />, label: shell('help'), run: () => find('help')?.() },
    { icon: <BookOpen />, label: t('handbook'), run: () => navigate('/help') },
  ]
  return (
    <MenuKeys close={close}>
      <div className="px-2.5 pt-1.5 pb-1 text-sm">
        <p className="truncate font-medium">{account.name}</p>
        <p className="truncate text-xs text-mute">{account.email}</p>
      </div>
      <MenuSeparator />
      {/* On a phone this is the only way to the first two. */}
      {commands.map(({ icon, label, run }) => (
        <MenuItem key={label} icon={icon} onSelect={run}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <PreferenceItems />
      <MenuSeparator />
      <MenuItem icon={<ShieldCheck />} onSelect={() => navigate('/account')}>
        {t('own')}
      </MenuItem>
      {hasLeads && <NoticesItem />}
      <MenuItem icon={<LogOut />} onSelect={requestSignOut}>
        {t('signOut')}
      </MenuItem>
    </MenuKeys>
  )
}

/** Asks for permission only when a user turns them on. */
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
