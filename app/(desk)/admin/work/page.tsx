import { createDeskPage, listKnownSchools } from '@/app/(desk)/desk-page'
import { WorkScreen } from '@/components/admin/work-screen'
import { getServices } from '@/server/base/services'
import { getAdmissionCycle } from '@/server/access/settings'
import { getWorkSettings } from '@/server/leads/work'
import { listTemplates } from '@/server/replies/reply-templates'

const { generateMetadata, Page } = createDeskPage({
  title: (t) => t('work.title'),
  permission: 'admin',
  path: '/admin/work',
  areas: ['work', 'templates'],
  screen: async ({ viewer }) => {
    const [initial, cycle, schools, { templates }] = await Promise.all([
      getWorkSettings(getServices(), viewer),
      getAdmissionCycle(getServices(), viewer),
      listKnownSchools(viewer),
      listTemplates(getServices(), viewer),
    ])
    const canSend = getServices().mailer !== null
    return <WorkScreen {...{ initial, cycle, schools, canMail: canSend, templates }} />
  },
})

export { generateMetadata, Page as default }
