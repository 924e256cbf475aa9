import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ListenersBody } from '../../../platform/callbacks/asked-listeners.js';
import { BooleanField, ChoiceField, IdField, ObjectField } from '../../../platform/fields/fields.js';
import { ValidationProblem } from '../../../platform/fields/shared.schemas.js';
import { Application } from '../../applications/applications/application.resource.js';

const choice = (description: string) =>
  ({ column: false, default: false, description, example: true }) as const;

@ApiSchema({ name: 'ApplicationClonePost', description: 'What is copied, and for whom.' })
export class ApplicationClonePost extends ListenersBody {
  @IdField({
    column: false,
    nullable: true,
    description:
      'Who will own the copy; absent, the owner of the application, and with `null` the user who asks.',
  })
  ownerId?: string | null;

  @ChoiceField(['user', 'organization'], {
    column: false,
    description: 'What the owner is.',
    example: 'user',
  })
  ownerType?: 'user' | 'organization';

  @BooleanField(choice('Whether devices are copied.'))
  includeDevices?: boolean;

  @BooleanField(choice('Whether files are copied.'))
  includeFiles?: boolean;

  @BooleanField(choice('Whether private files are copied.'))
  includePrivateFiles?: boolean;

  @BooleanField(choice('Whether the rows of data tables are copied.'))
  includeDataTableRows?: boolean;

  @BooleanField({
    column: false,
    default: false,
    description: 'Whether it is only looked at: nothing is written.',
    example: false,
  })
  dryRun?: boolean;

  @BooleanField({
    column: false,
    default: false,
    description: 'Whether it goes on as a job, however small it is.',
    example: false,
  })
  forceJob?: boolean;
}

@ApiSchema({ name: 'ApplicationApplyTemplatePatch', description: 'A template to apply.' })
export class ApplicationApplyTemplatePatch extends ListenersBody {
  @IdField({ column: false, required: true, description: 'The template.' })
  templateId: string;
}

@ApiSchema({
  name: 'ApplicationCloneDryRunResult',
  description: 'The application can be cloned, as far as can be seen.',
})
export class ApplicationCloneDryRunResult {
  @ApiProperty({ type: 'boolean', enum: [true], description: 'Always true.', example: true })
  success: true;

  @ApiProperty({ type: 'boolean', description: 'Whether the clone would go on as a job.', example: false })
  requiresJob: boolean;
}

@ApiSchema({
  name: 'ApplicationCreationByTemplateResult',
  description: 'An application that was made, and what of it could not be.',
})
export class ApplicationCreationByTemplateResult {
  @ObjectField(() => Application, { column: false, required: true, description: 'The application.' })
  application: Application;

  @ObjectField(() => ValidationProblem, {
    column: false,
    required: true,
    list: true,
    description: 'What could not be made, or not as it was: the first hundred.',
  })
  validationErrors: ValidationProblem[];
}
