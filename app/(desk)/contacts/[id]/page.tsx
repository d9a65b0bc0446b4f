import { createDeskPage } from '@/app/(desk)/desk-page'
import { NoDataYet } from '@/components/app/no-data-yet'
import { ContactScreen } from '@/components/contact/contact-screen'
import { withRequestTime } from '@/lib/api/send'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { may } from '@/server/access/viewer'
import { getServices } from '@/server/base/services'
import { getContact } from '@/server/leads/get-contact'

const { generateMetadata, Page } = createDeskPage({
  // The title names nobody, because titles end up in browser histories.
  title: (t) => t('contact.title'),
  permission: 'leads:read',
  path: '/contacts/:id',
  messageAreas: ['contact'],
  notReady: <NoDataYet lists={LEAD_LISTS} isWholeScreen />,
  screen: async ({ viewer, params }) => {
    const { id = '' } = await params
    const contact = await withRequestTime(() => getContact(getServices(), viewer, { id: decodeURIComponent(id) }))
    return (
      <ContactScreen initial={contact} mayDecide={may(viewer, 'leads:triage')} mayManageRights={may(viewer, 'admin')} />
    )
  },
})

export { generateMetadata, Page as default }
