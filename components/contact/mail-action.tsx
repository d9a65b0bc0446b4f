'use client'

import { Mail } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { LazyArea } from '@/components/shell/lazy-area'
import { Dialog } from '@/components/ui/dialog'
import { Menu } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/lead-page'
import type { Minor } from '@/lib/leads/minor-by-year'
import { MailChoices } from './mail-choices'
import { MinorMoment } from './minor-moment'
import { useMinor } from './use-minor'

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
  const face = (
    <>
      <Mail aria-hidden className={isThumb ? undefined : 'size-3.5'} />
      <span className={isThumb ? undefined : 'hidden @lg:inline'}>{t('mail')}</span>
    </>
  )
  if (minor !== null) {
    return (
      <MinorMail minor={minor} item={item} email={email} className={className} label={t('mail')}>
        {face}
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
          {face}
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
          <MinorMoment onCancel={close}>
            <MailChoices item={item} email={email} onChosen={close} />
          </MinorMoment>
        </LazyArea>
      </Dialog>
    </>
  )
}
