import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useSchoolNames } from '@/components/desk/schools'
import { Skeleton } from '@/components/ui/loading'
import { MenuLabel, MenuSeparator } from '@/components/ui/menu'
import type { LeadItem } from '@/lib/api/leads'
import { templates } from '@/lib/api/reply-templates'
import { fillTemplate, MAILTO_SAFE_LENGTH, mailtoUrl } from '@/lib/contacts/reply-mail'
import type { ReplyTemplate } from '@/lib/contract/reply-template'
import { isQuestion } from '@/lib/inbox/lead-text'

type MailChoicesProps = {
  item: LeadItem
  email: string
  /** Stands in a menu; else a plain list of links. */
  isMenu?: boolean
  onChosen: () => void
}

/** The reply templates, those of one's own language first, each filled in for the person; and a blank mail. */
export function MailChoices({ item, email, isMenu = false, onChosen }: MailChoicesProps) {
  const t = useTranslations('contact.mail')
  const locale = useLocale()
  const { data, isError } = useQuery(templates)
  const { own, others } = byLanguage(data?.templates ?? [], locale)
  const link = (template: ReplyTemplate) => (
    <TemplateLink key={template.id} template={template} item={item} email={email} isMenu={isMenu} onChosen={onChosen} />
  )
  return (
    <>
      <MenuLink href={mailtoUrl({ to: email })} isMenu={isMenu} onSelect={onChosen}>
        {t('blank')}
      </MenuLink>
      {data === undefined && !isError && <Waiting />}
      {isError && <p className="px-2.5 py-2 text-xs text-mute">{t('failed')}</p>}
      {own.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>{t('templates')}</MenuLabel>
          {own.map(link)}
        </>
      )}
      {others.length > 0 && (
        <>
          <MenuSeparator />
          <MenuLabel>{t(`otherLanguage.${locale === 'sv' ? 'en' : 'sv'}`)}</MenuLabel>
          {others.map(link)}
        </>
      )}
    </>
  )
}

function TemplateLink({
  template,
  item,
  email,
  isMenu = false,
  onChosen,
}: MailChoicesProps & { template: ReplyTemplate }) {
  const t = useTranslations('contact.mail')
  const schools = useSchoolNames()
  const firstName = isQuestion(item) ? null : item.user.firstName
  const fill = (text: string) => fillTemplate(text, { firstName, school: schools.of(item) })
  const href = mailtoUrl({ to: email, subject: fill(template.subject), body: fill(template.body) })
  return (
    <MenuLink href={href} isMenu={isMenu} lang={template.language} onSelect={onChosen}>
      {template.name}
      {href.length > MAILTO_SAFE_LENGTH && <span className="block text-xs text-mute">{t('long')}</span>}
    </MenuLink>
  )
}

function Waiting() {
  return (
    <span className="flex flex-col gap-2 px-2.5 py-2.5">
      <Skeleton className="h-4 w-40" />
      <Skeleton className="h-4 w-32" />
    </span>
  )
}

function byLanguage(all: readonly ReplyTemplate[], locale: string) {
  return {
    own: all.filter(({ language }) => language === locale),
    others: all.filter(({ language }) => language !== locale),
  }
}

type MenuLinkProps = { href: string; isMenu: boolean; onSelect: () => void; lang?: string; children: ReactNode }

/** An entry of a menu that leads out of the app; outside a menu a plain link that looks the same. */
function MenuLink({ href, isMenu, onSelect, lang, children }: MenuLinkProps) {
  return (
    <a
      href={href}
      lang={lang}
      {...(isMenu && { role: 'menuitem', tabIndex: -1 })}
      onClick={onSelect}
      className="flex min-h-8 w-full flex-col justify-center rounded-sm px-2.5 py-1.5 text-left text-sm wrap-anywhere hover:bg-hover focus:bg-hover touch:min-h-11"
    >
      {children}
    </a>
  )
}
