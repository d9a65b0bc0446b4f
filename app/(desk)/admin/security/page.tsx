import { documentMetadata, DocumentPage } from '@/app/(desk)/admin/document-page'

export const generateMetadata = () => documentMetadata('security')

export default function SecurityPage() {
  return <DocumentPage name="security" />
}
