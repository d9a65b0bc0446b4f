import { documentMetadata, DocumentPage } from '@/app/(desk)/admin/document-page'

export const generateMetadata = () => documentMetadata('privacy')

export default function PrivacyPage() {
  return <DocumentPage name="privacy" />
}
