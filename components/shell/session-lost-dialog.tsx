import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useUrlState } from '@/components/browser/url-state'
import { buttonClass } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'

export function SessionLostDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('shell.sessionLost')
  const pathname = usePathname()
  const search = useUrlState().search.toString()
  const returnTo = search === '' ? pathname : `${pathname}?${search}`
  return (
    <Dialog onClose={onClose} title={t('title')} insistent>
      <div className="flex flex-col gap-5 px-5 pb-5">
        <p className="text-sm text-mute">{t('body')}</p>
        <a
          href={`/signin?${new URLSearchParams({ callbackUrl: returnTo })}`}
          className={buttonClass({ variant: 'primary', size: 'lg' })}
        >
          {t('signIn')}
        </a>
      </div>
    </Dialog>
  )
}
