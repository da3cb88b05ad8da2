package carnet;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What it does, for texts such as "would remove 3 files". */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Does {
    /**
     * The words.
     *
     * @return verb, one, many
     */
    String[] value();
}
