package carnet;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Which operation of the interface file a method is. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Operation {
    /**
     * The name.
     *
     * @return its name in the interface file; an attribute {@code x} has {@code _get_x} and {@code _set_x}
     */
    String name();

    /**
     * The hash of its signature and effect, by which calls name it.
     *
     * @return 64 bits
     */
    long hash();
}
