import { createDeskPage, listKnownSchools } from '@/app/(desk)/desk-page'
import { WorkScreen } from '@/components/admin/work-screen'
import { getAdmissionCycle } from '@/server/access/settings'
import { getServices } from '@/server/base/services'
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
    return <WorkScreen {...{ initial, cycle, schools, templates }} canMail={getServices().mailer !== null} />
  },
})

export { generateMetadata, Page as default }
