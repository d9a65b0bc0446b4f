import type { Metadata } from 'next'
import { NextIntlClientProvider } from 'next-intl'
import { getMessages, getTranslations } from 'next-intl/server'
import { headers } from 'next/headers'
import { notFound } from 'next/navigation'
import { refusedPage } from '@/app/(desk)/refused-page'
import { ContactScreen } from '@/components/contact/contact-screen'
import { NothingYet } from '@/components/desk/nothing-yet'
import type { Contact } from '@/lib/contract/contact'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { pickAreas } from '@/lib/i18n/load-messages'
import { pageViewer } from '@/server/access/page-viewer'
import { type Allowed, may } from '@/server/access/viewer'
import { askedFrom } from '@/server/activity/asked-from'
import { addressOf } from '@/server/http/front-door'
import { getContact } from '@/server/contacts/get-contact'
import { NotFoundError, NotReadyError } from '@/server/errors'
import { services } from '@/server/services'

/** Nobody's name: titles end up in histories. */
export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('contact')
  return { title: t('title') }
}

export default async function ContactPage({ params }: { params: Promise<{ id: string }> }) {
  const viewer = await pageViewer(services())
  if (!may(viewer, 'leads:read')) return refusedPage(viewer, '/contacts/:id')
  const [messages, contact] = await Promise.all([getMessages(), contactOrNull(viewer, (await params).id)])
  if (contact === null) return <NothingYet lists={LEAD_LISTS} isScreen />
  return (
    <NextIntlClientProvider messages={pickAreas(messages, ['common', 'inbox', 'lead', 'contact'])}>
      <ContactScreen first={contact} mayDecide={may(viewer, 'leads:triage')} hasRights={may(viewer, 'admin')} />
    </NextIntlClientProvider>
  )
}

/** Null before the service has answered for the first time. */
async function contactOrNull(viewer: Allowed<'leads:read'>, id: string): Promise<Contact | null> {
  try {
    const address = addressOf({ headers: await headers() })
    return await askedFrom(address, () => getContact(services(), viewer, decodeURIComponent(id)))
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof URIError) notFound()
    if (error instanceof NotReadyError) return null
    throw error
  }
}
