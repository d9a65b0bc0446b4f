import { Mail } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { LazyArea } from '@/components/desk/lazy-area'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { Menu } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/leads'
import type { Minor } from '@/lib/leads/minor-by-year'
import { MailChoices } from './mail-choices'
import { useMinor } from './minor'

type MailActionProps = {
  item: LeadItem
  email: string
  className: string
  /** Stands in the bar along the lower edge: always with its word, opening upwards. */
  isThumb?: boolean
}

/** Writes to the person, from a reply template or from nothing; for the young, after a moment's thought. */
export function MailAction({ item, email, className, isThumb = false }: MailActionProps) {
  const t = useTranslations('lead')
  const minor = useMinor(item)
  const content = (
    <>
      <Mail aria-hidden className={isThumb ? undefined : 'size-3.5'} />
      <span className={isThumb ? undefined : 'hidden @lg:inline'}>{t('mail')}</span>
    </>
  )
  if (minor !== null) {
    return (
      <MinorMail minor={minor} item={item} email={email} className={className} label={t('mail')}>
        {content}
      </MinorMail>
    )
  }
  return (
    <Menu
      label={t('mail')}
      side={isThumb ? 'top' : 'bottom'}
      align="end"
      className="w-72"
      trigger={(props) => (
        <button {...props} type="button" aria-label={t('mail')} className={className}>
          {content}
        </button>
      )}
    >
      {(close) => (
        <LazyArea area="contact">
          <MailChoices item={item} email={email} isMenu onChosen={close} />
        </LazyArea>
      )}
    </Menu>
  )
}

type MinorMailProps = {
  minor: Minor
  item: LeadItem
  email: string
  className: string
  label: string
  children: ReactNode
}

/** The same button for somebody who may be under 16: the rule comes first, in a dialog. */
function MinorMail({ minor, item, email, className, label, children }: MinorMailProps) {
  const t = useTranslations('lead')
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button
        type="button"
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        className={className}
      >
        {children}
      </button>
      <Dialog open={open} onClose={close} title={t(`minor.${minor}`)}>
        <LazyArea area="contact">
          <MinorWarning onCancel={close}>
            <MailChoices item={item} email={email} onChosen={close} />
          </MinorWarning>
        </LazyArea>
      </Dialog>
    </>
  )
}

/**
 * Shows the rule before the templates. Marketing Act (2008:486) section 5 and the ICC code, article 18, as the Swedish Consumer Agency
 * reads them: no direct advertising to children under 16; answering what they asked is none.
 */
function MinorWarning({ children, onCancel }: { children: ReactNode; onCancel: () => void }) {
  const t = useTranslations('contact.mail')
  const common = useTranslations('common')
  const [hasConfirmed, setConfirmed] = useState(false)
  if (hasConfirmed) {
    return (
      <div role="group" aria-label={t('templates')} className="max-h-[60dvh] overflow-y-auto px-3 pb-4 scroll-thin">
        {children}
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-5 px-5 pb-5">
      <p className="text-sm text-pretty text-mute">{t('minorRule')}</p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>{common('cancel')}</Button>
        <Button variant="primary" autoFocus onClick={() => setConfirmed(true)}>
          {t('proceed')}
        </Button>
      </div>
    </div>
  )
}
